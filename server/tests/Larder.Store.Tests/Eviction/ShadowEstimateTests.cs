namespace Larder.Store.Tests;

public sealed class ShadowEstimateTests
{
    [Fact]
    public void Estimate_is_null_before_first_eviction()
    {
        using var fixture = new StoreFixture();
        fixture.Set("k", "v");
        fixture.Get("k");
        Assert.Null(fixture.Store.GetStatistics().Shadow);
    }

    [Fact]
    public void Estimated_hit_ratio_rises_with_memory_and_matches_actual_ratio()
    {
        using var fixture = new StoreFixture(4L << 20, shards: 1);
        var random = new Random(17);
        byte[] value = new byte[100];
        long hits = 0;
        const int Requests = 600_000;
        for (int i = 0; i < Requests; i++)
        {
            // The sample depends on the random seed of the store. No key may be so hot that the estimate depends on whether the sample contains it. The hottest
            // key gets 0.2 % of the requests.
            byte[] key = BitConverter.GetBytes((int)(200_000 * Math.Pow(random.NextDouble(), 2)));
            var sink = default(NoSink);
            if (fixture.Cache.TryGet(key, ref sink))
            {
                hits += i >= Requests / 2 ? 1 : 0;
            }
            else
            {
                fixture.Cache.Set(key, value, StoreFixture.Hour);
            }
        }

        ShadowHitRatios shadow = fixture.Store.GetStatistics().Shadow!.Value;
        double actual = hits / (Requests / 2.0);
        Assert.True(shadow.HalfMemory < shadow.PresentMemory && shadow.PresentMemory < shadow.DoubleMemory, shadow.ToString());
        Assert.InRange(shadow.PresentMemory, actual - 0.1, actual + 0.1);
    }

    [Fact]
    public void Small_queue_grows_when_recent_keys_repeat()
    {
        var shadow = new ShadowEstimate(16L << 20);
        shadow.Start(100_000);
        var random = new Random(23);
        var history = new List<ulong>();
        var batch = new AccessSample[1];
        for (int i = 0; i < 120_000; i++)
        {
            // Of 100,000 entries, 6,250 are sampled. A repeated key comes from one of the last 9,000 requests, preferably from a recent one.
            int back = 1 + (int)(9_000 * Math.Pow(random.NextDouble(), 2));
            bool again = back <= history.Count && random.NextDouble() < 0.7;
            ulong key = again ? history[^back] : (ulong)i << 32;
            history.Add(key);
            batch[0] = new AccessSample(key, 160, AccessKind.Miss);
            shadow.Play(batch);
            batch[0] = new AccessSample(key, 160, AccessKind.Set);
            shadow.Play(batch);
        }

        Assert.True(shadow.SmallTarget >= 0.3, $"The share is {shadow.SmallTarget}.");
    }

    private readonly struct NoSink : IValueSink
    {
        public void Accept(ReadOnlySpan<byte> value)
        {
        }
    }
}
