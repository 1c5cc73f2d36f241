using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tune.Comparisons;

/// <summary>
/// Compares the client with 1, 2, 5 and 10 channels under two loads: the load at the knee, and 5,000 callers with the default limit of the configuration. For
/// Python, it also compares both event loops.
/// </summary>
internal sealed class ChannelComparison(TestBed bed, ClientUnderTest tuned, SearchRung knee, TuneOptions options, RoundRunner rounds)
{
    private const int ManyCallers = 5000;
    private static readonly int[] s_channels = [1, 2, 5, 10];

    /// <summary>The number of passes over all combinations.</summary>
    private const int Passes = 3;

    public async Task<IReadOnlyList<ChannelRow>> RunAsync()
    {
        var places = new List<Place>();
        foreach ((string? variant, string[]? arguments) in VariantsOf(tuned.Variant.Client))
        {
            foreach (int channels in s_channels)
            {
                ClientUnderTest tested = await bed
                    .ClientAsync(tuned.Variant with { Channels = channels, Setting = variant.Length > 0 ? variant : null }, arguments)
                    .ConfigureAwait(false);
                places.Add(new(tested, "at the knee", knee.Callers, knee.Callers, variant, []));
                places.Add(new(tested, "5,000 callers", ManyCallers, null, variant, []));
            }
        }

        int left = places.Count * Passes;
        for (int pass = 1; pass <= Passes; pass++)
        {
            foreach (Place? place in pass % 2 == 1 ? places : Enumerable.Reverse(places))
            {
                var step = new LoadStep(TunePhase.Channels, place.Callers, place.Client.Variant.Channels!.Value, null, pass, Passes);
                place.Rounds.Add(
                    await rounds
                        .RunAsync(place.Client, step, seconds => new OfferedLoad(place.Callers, place.Cap, seconds), left--, TimeSpan.Zero)
                        .ConfigureAwait(false));
            }
        }

        return [.. places.Select(RowOf)];
    }

    private static (string Name, string[] Arguments)[] VariantsOf(string client) => client switch
    {
        "python" => [("uvloop on", ["--loop", "uvloop"]), ("uvloop off", ["--loop", "asyncio"])],
        _ => [("", [])],
    };

    private ChannelRow RowOf(Place place) => new()
    {
        Channels = place.Client.Variant.Channels!.Value,
        Callers = place.Callers,
        Where = place.Where,
        Variant = place.Variant,
        Repetitions = [.. place.Rounds.Select(round => RoundFigures.Of(round, options.NoiseLimit))],
    };

    private sealed record Place(ClientUnderTest Client, string Where, int Callers, int? Cap, string Variant, List<Round> Rounds);
}
