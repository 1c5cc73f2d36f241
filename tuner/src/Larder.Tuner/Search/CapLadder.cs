namespace Larder.Tuner.Search;

/// <summary>The concurrency limits to try: 1, 2, 3, 5, 8 …. Each limit is about 1.6 times the previous one, as in <see cref="KneeSearch"/>.</summary>
internal static class CapLadder
{
    /// <summary>Returns the limits below <paramref name="most"/> in ascending order, then <paramref name="most"/>.</summary>
    public static IReadOnlyList<int> UpTo(int most)
    {
        var rungs = new List<int>();
        for ((int previous, int rung) = (1, 1); rung < most; (previous, rung) = (rung, rung == 1 ? 2 : rung + previous))
        {
            rungs.Add(rung);
        }

        rungs.Add(most);
        return rungs;
    }
}
