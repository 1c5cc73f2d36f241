namespace Larder.Store.Bench;

/// <summary>Draws ranks with a Zipf distribution by inverting the cumulative distribution. Rank 0 is the most popular.</summary>
internal sealed class Zipf
{
    private readonly double[] _cumulative;

    public Zipf(int ranks, double exponent)
    {
        _cumulative = new double[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++)
        {
            sum += Math.Pow(i + 1, -exponent);
            _cumulative[i] = sum;
        }
    }

    public int Next(Random random)
    {
        int at = Array.BinarySearch(_cumulative, random.NextDouble() * _cumulative[^1]);
        return Math.Min(at < 0 ? ~at : at, _cumulative.Length - 1);
    }

    /// <summary>
    /// Draws a sequence of keys. Ranks are mapped to keys at random, so that the number of a key does not depend on the popularity of the key.
    /// </summary>
    public int[] Draw(int count, int seed)
    {
        var random = new Random(seed);
        int[] places = new int[_cumulative.Length];
        for (int i = 0; i < places.Length; i++)
        {
            places[i] = i;
        }

        random.Shuffle(places);
        int[] draws = new int[count];
        for (int i = 0; i < count; i++)
        {
            draws[i] = places[Next(random)];
        }

        return draws;
    }
}
