using System.Diagnostics;
using Larder.Harness.Processes;

namespace Larder.Wire.Bench;

/// <summary>What one peer did in one round.</summary>
/// <param name="RequestsPerSecond">Calls answered in a second.</param>
/// <param name="BytesPerCall">Bytes allocated in the client for one call.</param>
/// <param name="P999Ms">The 99.9th percentile of latency in milliseconds, of all calls of the round.</param>
/// <param name="ClientCpu">Processors used by the client.</param>
/// <param name="ServerCpu">Processors used by the server.</param>
internal sealed record Measurement(double RequestsPerSecond, double BytesPerCall, double P999Ms, double ClientCpu, double ServerCpu)
{
    // Room for the latencies of a round, made before it: growing lists would count as the calls' allocations.
    private const int MaxCalls = 3_000_000;

    public static async Task<Measurement> TakeAsync(IPeer peer, ChildProcess server, int callers, TimeSpan length)
    {
        await RunAsync(peer, Lists(callers), length / 4);
        List<long>[] latencies = Lists(callers);
        using Process self = Process.GetCurrentProcess();
        TimeSpan cpu = self.TotalProcessorTime;
        TimeSpan serverCpu = server.CpuTime;
        long bytes = GC.GetTotalAllocatedBytes();
        long start = Stopwatch.GetTimestamp();
        await RunAsync(peer, latencies, length);
        double elapsed = Stopwatch.GetElapsedTime(start).TotalSeconds;
        bytes = GC.GetTotalAllocatedBytes() - bytes;
        self.Refresh();
        long[] all = [.. latencies.SelectMany(list => list).Order()];
        return new Measurement(
            all.Length / elapsed,
            (double)bytes / all.Length,
            Stopwatch.GetElapsedTime(0, all[(int)(all.Length * 0.999)]).TotalMilliseconds,
            (self.TotalProcessorTime - cpu).TotalSeconds / elapsed,
            (server.CpuTime - serverCpu).TotalSeconds / elapsed);
    }

    private static List<long>[] Lists(int callers) => [.. Enumerable.Range(0, callers).Select(_ => new List<long>(MaxCalls / callers))];

    private static Task RunAsync(IPeer peer, List<long>[] latencies, TimeSpan length)
    {
        long end = Stopwatch.GetTimestamp() + (long)(length.TotalSeconds * Stopwatch.Frequency);
        return Task.WhenAll(latencies.Select((list, caller) => Task.Run(() => CallUntilAsync(peer, caller, end, list))));
    }

    private static async Task CallUntilAsync(IPeer peer, int caller, long end, List<long> latencies)
    {
        int number = caller;
        long now = Stopwatch.GetTimestamp();
        while (now < end)
        {
            await peer.CallAsync(caller, number++);
            long then = now;
            now = Stopwatch.GetTimestamp();
            latencies.Add(now - then);
        }
    }
}
