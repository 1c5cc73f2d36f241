using System.Collections.Concurrent;
using System.Text;

namespace Larder.Store.Tests;

/// <summary>Tests of scans that run concurrently with writers, flushes and evictions. Freed memory is overwritten, so that reads of it are detected.</summary>
public sealed class ScanWhileWrittenTests
{
    [Fact]
    public async Task Scan_with_concurrent_writers_returns_all_unchanged_keys()
    {
        using var fixture = new StoreFixture(64L << 20, shards: 2);
        const int Stays = 5_000;
        for (int i = 0; i < Stays; i++)
        {
            fixture.Set($"stays{i}", "value");
        }

        using var stop = new CancellationTokenSource();
        Task[] writers = [.. Enumerable.Range(0, 2).Select(seed => Task.Run(() => Churn(fixture, seed, stop.Token)))];
        for (int scan = 0; scan < 20; scan++)
        {
            HashSet<string> shown = [];
            foreach (ScannedKey key in Scan(fixture.Cache))
            {
                string name = Encoding.UTF8.GetString(key.Key);
                Assert.Matches("^(stays|comes)[0-9]+$", name);
                shown.Add(name);
            }

            Assert.Equal(Stays, shown.Count(name => name.StartsWith("stays", StringComparison.Ordinal)));
        }

        await stop.CancelAsync();
        await Task.WhenAll(writers);

        void Churn(StoreFixture store, int seed, CancellationToken stopped)
        {
            var random = new Random(seed);
            while (!stopped.IsCancellationRequested)
            {
                int number = random.Next(100_000);
                store.Set($"stays{number % Stays}", new string('v', random.Next(40)));
                store.Set($"comes{number}", new string('v', random.Next(40)));
                store.Cache.Delete(StoreFixture.Bytes($"comes{random.Next(100_000)}"));
            }
        }
    }

    [Fact]
    public async Task Scan_during_eviction_and_flushes_returns_only_own_keys()
    {
        using var fixture = new StoreFixture(4L << 20, shards: 2);
        fixture.Store.CreateCache("other");
        Cache other = fixture.Store.Find("other")!;
        using var stop = new CancellationTokenSource();
        var failures = new ConcurrentQueue<string>();
        Task writer = Task.Run(() =>
        {
            var random = new Random(3);
            for (int i = 0; !stop.IsCancellationRequested; i++)
            {
                fixture.Set($"mine{i}", new string('v', random.Next(400)));
                other.Set(StoreFixture.Bytes($"other{i}"), new byte[random.Next(400)], StoreFixture.Hour);
                if (i % 10_000 == 9_999)
                {
                    fixture.Store.FlushCache(i % 20_000 == 9_999 ? "cache" : "other");
                }
            }
        });
        for (int scan = 0; scan < 100; scan++)
        {
            foreach (ScannedKey key in Scan(fixture.Cache))
            {
                string name = Encoding.UTF8.GetString(key.Key);
                if (!name.StartsWith("mine", StringComparison.Ordinal) || !int.TryParse(name.AsSpan(4), out _) || key.Bytes > 400)
                {
                    failures.Enqueue(name);
                }
            }
        }

        await stop.CancelAsync();
        await writer;
        Assert.Empty(failures);
    }

    private static IEnumerable<ScannedKey> Scan(Cache cache)
    {
        byte[] cursor = [];
        do
        {
            KeyPage page = cache.Scan(cursor, new KeyQuery { Count = 500 })!;
            foreach (ScannedKey key in page.Keys)
            {
                yield return key;
            }

            cursor = page.Cursor;
        }
        while (cursor.Length > 0);
    }
}
