using System.Globalization;
using Larder.Harness;
using Larder.Harness.Processes;

namespace Larder.Wire.Bench;

/// <summary>Runs rounds that alternate between two peers, and reports the medians of both.</summary>
internal static class Comparison
{
    public static async Task RunAsync(ChildProcess server, Uri endpoint, int callers, int rounds, TimeSpan length)
    {
        await using IPeer baseline = new HttpClientPeer(endpoint);
        await using IPeer ours = new ChannelPeer(endpoint, callers);
        List<Measurement> baselines = [];
        List<Measurement> our = [];
        for (int round = 0; round < rounds; round++)
        {
            baselines.Add(await TakeAsync(baseline, server, callers, length));
            our.Add(await TakeAsync(ours, server, callers, length));
        }

        double ratio = Median.Of(our, one => one.RequestsPerSecond) / Median.Of(baselines, one => one.RequestsPerSecond);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{callers,5} in flight, medians of {rounds}: {Median.Of(baselines, one => one.RequestsPerSecond):F0} -> "
                    + $"{Median.Of(our, one => one.RequestsPerSecond):F0} req/s = {ratio:F2} x, "
                    + $"{Median.Of(baselines, one => one.BytesPerCall):F0} -> {Median.Of(our, one => one.BytesPerCall):F0} bytes per call, p99.9 "
                    + $"{Median.Of(baselines, one => one.P999Ms):F3} -> {Median.Of(our, one => one.P999Ms):F3} ms"));
    }

    private static async Task<Measurement> TakeAsync(IPeer peer, ChildProcess server, int callers, TimeSpan length)
    {
        Measurement taken = await Measurement.TakeAsync(peer, server, callers, length);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{callers,5} in flight {peer.Name,-12} {taken.RequestsPerSecond,8:F0} req/s {taken.BytesPerCall,6:F0} B/call p99.9 {taken.P999Ms,7:F3} ms "
                    + $" cpu client {taken.ClientCpu:F2} server {taken.ServerCpu:F2}"));
        return taken;
    }
}
