using Larder.Report.Runs;
using Larder.Tuner.Bench;

namespace Larder.Tuner.Tune;

/// <summary>
/// The client over 1, 2, 5 and 10 channels, at the knee and with 5,000 callers behind the configuration's own cap; in Python on both event loops.
/// </summary>
internal sealed class ChannelComparison(TuneStand stand, Arm tuned, SearchRung knee, TuneOptions options, TuneRounds rounds)
{
    private const int ManyCallers = 5000;
    private static readonly int[] s_channels = [1, 2, 5, 10];

    /// <summary>Passes over them all.</summary>
    private const int Passes = 3;

    /// <summary>Measures.</summary>
    public async Task<IReadOnlyList<ChannelRow>> RunAsync()
    {
        var places = new List<Place>();
        foreach ((string? variant, string[]? arguments) in VariantsOf(tuned.Name.Client))
        {
            foreach (int channels in s_channels)
            {
                Arm arm = await stand
                    .ArmAsync(tuned.Name with { Channels = channels, Variant = variant.Length > 0 ? variant : null }, arguments)
                    .ConfigureAwait(false);
                places.Add(new(arm, "at the knee", knee.Callers, knee.Callers, variant, []));
                places.Add(new(arm, "5,000 callers", ManyCallers, null, variant, []));
            }
        }

        int left = places.Count * Passes;
        for (int pass = 1; pass <= Passes; pass++)
        {
            foreach (Place? place in pass % 2 == 1 ? places : Enumerable.Reverse(places))
            {
                var step = new TuneStep(TunePhase.Channels, place.Callers, place.Arm.Name.Channels!.Value, null, pass, Passes);
                place.Rounds.Add(
                    await rounds
                        .RunAsync(place.Arm, step, seconds => new TuneLoad(place.Callers, place.Cap, seconds), left--, TimeSpan.Zero)
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
        Channels = place.Arm.Name.Channels!.Value,
        Callers = place.Callers,
        Where = place.Where,
        Variant = place.Variant,
        Repetitions = [.. place.Rounds.Select(round => RoundFigures.Of(round, options.NoiseLimit))],
    };

    private sealed record Place(Arm Arm, string Where, int Callers, int? Cap, string Variant, List<Round> Rounds);
}
