namespace Larder.Agent;

/// <summary>
/// Chooses a key with a probability proportional to 1/(i+1)^α, in constant time whatever the number of keys: Walker's alias
/// table as Vose builds it. Each column holds one key and the part of it that belongs to another.
/// </summary>
internal sealed class LoadKeyChooser
{
    private readonly int _keys;
    private readonly int[]? _alias;
    private readonly double[]? _own;

    /// <summary>A chooser over keys 0 … <paramref name="keys"/> − 1; with <paramref name="zipf"/> 0 all are alike.</summary>
    public LoadKeyChooser(int keys, double zipf)
    {
        _keys = keys;
        if (zipf > 0)
        {
            (_own, _alias) = BuildTable(Weights(keys, zipf));
        }
    }

    /// <summary>The next key.</summary>
    public int Next(ref LoadRandom random)
    {
        int column = random.Below(_keys);
        return _own is null || random.Unit() < _own[column] ? column : _alias![column];
    }

    /// <summary>The keys' probabilities times their number.</summary>
    private static double[] Weights(int keys, double zipf)
    {
        double[] weights = new double[keys];
        double sum = 0;
        for (int i = 0; i < keys; i++)
        {
            sum += weights[i] = Math.Pow(i + 1, -zipf);
        }

        for (int i = 0; i < keys; i++)
        {
            weights[i] *= keys / sum;
        }

        return weights;
    }

    private static (double[] Own, int[] Alias) BuildTable(double[] weights)
    {
        int[] alias = new int[weights.Length];
        var small = new Stack<int>();
        var large = new Stack<int>();
        for (int i = 0; i < weights.Length; i++)
        {
            alias[i] = i;
            (weights[i] < 1 ? small : large).Push(i);
        }

        while (small.Count > 0 && large.Count > 0)
        {
            (int poor, int rich) = (small.Pop(), large.Pop());
            alias[poor] = rich;
            weights[rich] -= 1 - weights[poor];
            (weights[rich] < 1 ? small : large).Push(rich);
        }

        // What is left over is 1 but for rounding.
        foreach (int column in small.Concat(large))
        {
            weights[column] = 1;
        }

        return (weights, alias);
    }
}
