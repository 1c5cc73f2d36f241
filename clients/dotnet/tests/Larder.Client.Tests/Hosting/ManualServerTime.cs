using Larder.Harness.Clocks;

namespace Larder.Client.Tests.Hosting;

/// <summary>Moves a server's clock.</summary>
internal static class ManualServerTime
{
    /// <summary>
    /// A server whose clock jumps takes it for a pause of its own and refuses calls for the next 100 ms of that clock: so the last of the way is gone after it
    /// has noticed. It notices more than a second, so a test moves on by at most 10 ms or by 2 s and more.
    /// </summary>
    public static void Advance(ManualTime time, TimeSpan by, CacheClient client)
    {
        TimeSpan last = TimeSpan.FromMilliseconds(150);
        if (by > last)
        {
            time.Advance(by - last);
            _ = client.Cache("cache").GetAsync("noticed").AsTask().GetAwaiter().GetResult();
            by = last;
        }

        time.Advance(by);
    }
}
