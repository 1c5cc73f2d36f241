namespace Larder.Store.Tests;

/// <summary>S9: tests that no write waits while the maintenance releases memory to the operating system, which can take a long time.</summary>
public sealed class ReleaseTests
{
    [Fact]
    public void Writes_proceed_while_maintenance_releases_memory()
    {
        WatchedPages pages = new();
        using var fixture = new StoreFixture(64L << 20, shards: 1, pages);
        byte[] value = new byte[1000];
        for (int i = 0; i < 50_000; i++)
        {
            fixture.Cache.Set(BitConverter.GetBytes(i), value, StoreFixture.Hour);
        }

        fixture.Store.FlushCache("cache");
        bool maintains = false;
        int written = 0, discarded = 0;
        pages.Discarding = () =>
        {
            if (maintains && ++discarded % 10 == 1)
            {
                Thread write = new(() => fixture.Set("key", $"{discarded}"));
                write.Start();
                Assert.True(write.Join(TimeSpan.FromSeconds(20)), "a write waits for the system");
                Assert.Equal($"{discarded}", fixture.Get("key"));
                written++;
            }
        };
        for (int second = 0; second < 10; second++)
        {
            fixture.Clock.AdvanceMs(1000);
            maintains = true;
            fixture.Store.Maintain();
            maintains = false;
        }

        Assert.True(discarded > 20, "memory was given back in many steps");
        Assert.Equal((discarded + 9) / 10, written);
        Assert.InRange(fixture.Store.GetStatistics().UsedMemoryBytes, 0, 8 << 20);
    }

    private sealed unsafe class WatchedPages : PageSource
    {
        public Action Discarding { get; set; } = () => { };

        public override bool Discard(byte* at, long bytes)
        {
            Discarding();
            return base.Discard(at, bytes);
        }
    }
}
