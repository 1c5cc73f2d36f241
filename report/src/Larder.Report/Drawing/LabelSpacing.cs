namespace Larder.Report.Drawing;

/// <summary>Moves labels apart.</summary>
internal static class LabelSpacing
{
    /// <summary>
    /// Returns positions that are at least <paramref name="distance"/> apart and within the bounds. They are as near as possible to the wanted positions, which
    /// are in ascending order. If the bounds are too narrow, the positions are as far apart as possible.
    /// </summary>
    public static IReadOnlyList<double> Apart(IReadOnlyList<double> wanted, double distance, double low, double high)
    {
        double gap = wanted.Count > 1 ? Math.Min(distance, (high - low) / (wanted.Count - 1)) : distance;
        double[] places = wanted.Select(place => Math.Clamp(place, low, high)).ToArray();
        for (int i = 1; i < places.Length; i++)
        {
            places[i] = Math.Max(places[i], places[i - 1] + gap);
        }

        for (int i = places.Length - 1; i >= 0; i--)
        {
            places[i] = Math.Min(places[i], i == places.Length - 1 ? high : places[i + 1] - gap);
        }

        return places;
    }
}
