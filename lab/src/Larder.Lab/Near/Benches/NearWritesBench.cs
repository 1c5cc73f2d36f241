using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>
/// Measures how much near streams slow down a server's writes. Alternates between three servers: one without near streams, one with a single near stream, and
/// one with many.
/// </summary>
internal static class NearWritesBench
{
    public static async Task<NearSection> RunAsync(NearWritesOptions options, Action<string> say)
    {
        List<NearWritesRow> rows = [];
        int seed = 0;
        (string Name, int[] Plain, Func<NearWritesLane, int, Task<NearWritesTurn>> Turn)[] situations =
        [
            ("the written keys are not tracked", [0, 0, 0], (lane, inFlight) => lane.LoadAsync(options, inFlight, 0, ++seed)),
            (Say($"{options.Streams} clients read the written keys, {options.ReadsPerSecond:N0} reads/s"), [options.Streams, options.Streams - 1, 0],
                (lane, inFlight) => lane.LoadAsync(options, inFlight, options.ReadsPerSecond, ++seed)),
            ("every stream tracks every written key", [0, 0, 0], (lane, inFlight) => lane.OnceAsync(options, inFlight)),
        ];
        foreach ((string name, int[] plain, Func<NearWritesLane, int, Task<NearWritesTurn>> turn) in situations)
        {
            rows.AddRange(await SituationAsync(options, name, plain, turn, say).ConfigureAwait(false));
        }

        return new NearSection("Cost of near streams for writers", [.. About(options), "", .. NearWritesRow.Head, .. rows.Select(static row => row.Line())]);
    }

    private static async Task<IReadOnlyList<NearWritesRow>> SituationAsync(
        NearWritesOptions options,
        string name,
        int[] plain,
        Func<NearWritesLane, int, Task<NearWritesTurn>> turn,
        Action<string> say)
    {
        int[] streams = [0, 1, options.Streams];
        List<NearWritesLane> lanes = [];
        try
        {
            for (int lane = 0; lane < streams.Length; lane++)
            {
                lanes.Add(await NearWritesLane.StartAsync(streams[lane], plain[lane], options.ServerProgram).ConfigureAwait(false));
            }

            List<NearWritesRow> rows = [];
            foreach (int inFlight in options.InFlight)
            {
                NearWritesRow row = new(name, inFlight, streams);
                rows.Add(row);
                // The order of the servers is reversed each time, because the state of the machine differs between the first and the last measurement. The
                // first turn is a warm-up.
                for (int number = 0; number <= options.Turns; number++)
                {
                    foreach (int lane in number % 2 == 0 ? (int[])[0, 1, 2] : [2, 1, 0])
                    {
                        NearWritesTurn measured = await turn(lanes[lane], inFlight).ConfigureAwait(false);
                        string where = Say($"{name}, {inFlight} sets in flight, round {number} of {options.Turns}, {streams[lane]} near streams");
                        say(Say($"{where}: {measured.SetsPerSecond:N0} sets per second"));
                        if (number > 0)
                        {
                            row.Add(lane, measured);
                        }
                    }
                }
            }

            return rows;
        }
        finally
        {
            foreach (NearWritesLane lane in lanes)
            {
                await lane.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private static IEnumerable<string> About(NearWritesOptions options) =>
    [
        Say($"- load: sets of 100 bytes by the .NET client, {options.Keys:N0} keys, one server each for 0, 1 and {options.Streams} near streams; ")
            + Say($"{options.Turns} alternating rounds of {options.Seconds} s; servers, writers and readers on the same machine"),
        "- reading clients: the same number on each server, some with a near stream and some without. Together, they read the written keys at the given rate",
        Say($"- tracked keys: each stream first reads all {options.NotedKeys:N0} keys. Then each key is written once, and every stream is notified"),
        "- ratio: sets per second with near streams, divided by sets per second without near streams, as the median of adjacent rounds; the target is 0.8",
    ];
}
