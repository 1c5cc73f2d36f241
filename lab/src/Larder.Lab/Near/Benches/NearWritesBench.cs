using static Larder.Report.InvariantText;

namespace Larder.Lab.Near;

/// <summary>Measures the cost of near streams for a server's writes: with none, one and a hundred of them, alternately.</summary>
internal static class NearWritesBench
{
    public static async Task<NearSection> RunAsync(NearWritesOptions options, Action<string> say)
    {
        List<NearWritesRow> rows = [];
        int seed = 0;
        (string Name, int[] Plain, Func<NearWritesLane, int, Task<NearWritesTurn>> Turn)[] situations =
        [
            ("no notes of what is written", [0, 0, 0], (lane, inFlight) => lane.LoadAsync(options, inFlight, 0, ++seed)),
            (Say($"{options.Streams} clients read what is written, {options.ReadsPerSecond:N0} reads/s"), [options.Streams, options.Streams - 1, 0],
                (lane, inFlight) => lane.LoadAsync(options, inFlight, options.ReadsPerSecond, ++seed)),
            ("every stream has a note of each", [0, 0, 0], (lane, inFlight) => lane.OnceAsync(options, inFlight)),
        ];
        foreach ((string name, int[] plain, Func<NearWritesLane, int, Task<NearWritesTurn>> turn) in situations)
        {
            rows.AddRange(await SituationAsync(options, name, plain, turn, say).ConfigureAwait(false));
        }

        return new NearSection("Writes with near streams", [.. About(options), "", .. NearWritesRow.Head, .. rows.Select(static row => row.Line())]);
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
                lanes.Add(await NearWritesLane.StartAsync(streams[lane], plain[lane]).ConfigureAwait(false));
            }

            List<NearWritesRow> rows = [];
            foreach (int inFlight in options.InFlight)
            {
                NearWritesRow row = new(name, inFlight, streams);
                rows.Add(row);
                // The order is reversed each time, because the first lane finds the machine in another state than the last. The first turn is a warm-up.
                for (int number = 0; number <= options.Turns; number++)
                {
                    foreach (int lane in number % 2 == 0 ? (int[])[0, 1, 2] : [2, 1, 0])
                    {
                        NearWritesTurn measured = await turn(lanes[lane], inFlight).ConfigureAwait(false);
                        string where = Say($"{name}, {inFlight} in flight, turn {number} of {options.Turns}, {streams[lane]} near streams");
                        say(Say($"{where}: {measured.SetsPerSecond:N0} sets a second"));
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
        Say($"- sets of 100 bytes by the .NET client, of {options.Keys:N0} keys; a server each for 0, 1 and {options.Streams} near streams; ")
        + Say($"{options.Turns} turns of ")
            + Say($"{options.Seconds} s of each, in turns; servers, writers and the streams' clients together on the machine"),
        $"- read what is written: as many clients on each server, with a near stream or without; what is written is read again at that rate by all together",
        Say($"- every stream has a note: each has read each of {options.NotedKeys:N0} keys, then each key is written once, and each write tells every stream"),
        "- ×: sets a second by those without near streams, the median of the pairs of turns; target 0.8",
    ];
}
