using System.Diagnostics;
using Larder.Harness.Processes;

namespace Larder.Wire.Bench;

/// <summary>The measurements of one peer in one round.</summary>
/// <param name="RequestsPerSecond">The number of calls completed per second.</param>
/// <param name="BytesPerCall">The number of bytes that the client allocates per call.</param>
/// <param name="P999Ms">The 99.9th percentile of the latency of all calls of the round, in milliseconds.</param>
/// <param name="ClientCpu">The number of processors that the client used.</param>
/// <param name="ServerCpu">The number of processors that the server used.</param>
internal sealed record Measurement(double RequestsPerSecond, double BytesPerCall, double P999Ms, double ClientCpu, double ServerCpu)
{
    // The arrays for the latencies are allocated before the round. Lists that grow during the round would count as allocations of the calls.
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
