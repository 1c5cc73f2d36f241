using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Runs random operations on three caches over one file, and compares the caches with a dictionary after each step.</summary>
public sealed class ModelTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_operations_give_the_same_results_as_the_model(int seed)
    {
        Random random = new(seed);
        Dictionary<string, (string Value, DateTimeOffset? Ends)> model = [];
        DistributedFileStoreCacheString[] caches = [Open(), Open(), Open()];
        for (int step = 0; step < 3000; step++)
        {
            int at = random.Next(caches.Length);
            string key = "key" + random.Next(40);
            switch (random.Next(14))
            {
                case < 5:
                    caches[at].Set(key, step.ToString());
                    model[key] = (step.ToString(), null);
                    break;
                case < 7:
                    TimeSpan life = TimeSpan.FromSeconds(random.Next(1, 60));
                    caches[at].Set(key, step.ToString(), new() { AbsoluteExpirationRelativeToNow = life });
                    model[key] = (step.ToString(), _time.GetUtcNow() + life);
                    break;
                case 7:
                    caches[at].Remove(key);
                    model.Remove(key);
                    break;
                case 8:
                    caches[at].SetMany([new(key, "a" + step), new(key + "+", "b" + step)]);
                    model[key] = ("a" + step, null);
                    model[key + "+"] = ("b" + step, null);
                    break;
                case 9:
                    string? expected = random.Next(2) == 0 ? caches[at].Get(key) : "other";
                    bool set = caches[at].CompareAndSet(key, expected, "c" + step);
                    Assert.Equal(expected == ValueOf(model, key), set);
                    if (set)
                    {
                        model[key] = ("c" + step, null);
                    }
                    break;
                case 10:
                    _time.Advance(TimeSpan.FromSeconds(random.Next(10)));
                    break;
                case 11 when random.Next(4) == 0:
                    caches[at].ClearAll([new(key, "d" + step)]);
                    model.Clear();
                    model[key] = ("d" + step, null);
                    break;
                case 12 when random.Next(3) == 0:
                    caches[at].Engine().Compact();
                    break;
                case 13 when random.Next(3) == 0:
                    caches[at].Dispose();
                    caches[at] = Open();
                    break;
            }
            Assert.Equal(ValueOf(model, key), caches[random.Next(caches.Length)].Get(key));
            if (step % 100 == 0)
            {
                CheckAll(model, caches);
            }
        }
        CheckAll(model, caches);
        Array.ForEach(caches, c => c.Dispose());
    }

    private void CheckAll(Dictionary<string, (string Value, DateTimeOffset? Ends)> model, DistributedFileStoreCacheString[] caches)
    {
        Dictionary<string, string> alive = model.Where(e => ValueOf(model, e.Key) is not null).ToDictionary(e => e.Key, e => e.Value.Value);
        foreach (DistributedFileStoreCacheString cache in caches)
        {
            Assert.Equal(alive, cache.GetAllKeyValues().ToDictionary());
            Assert.Equal(alive.Count, cache.Count);
            Assert.Equal(0, cache.Status.DamagedLines);
            cache.Engine().AssertValid();
        }
    }

    private string? ValueOf(Dictionary<string, (string Value, DateTimeOffset? Ends)> model, string key) =>
        model.TryGetValue(key, out (string Value, DateTimeOffset? Ends) entry) && (entry.Ends is null || entry.Ends > _time.GetUtcNow()) ? entry.Value : null;

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);
}
