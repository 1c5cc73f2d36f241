namespace Larder.Agent;

/// <summary>
/// Chooses key i with a probability proportional to 1/(i+1)^α, in constant time for any number of keys. It uses Walker's alias table, built with Vose's method.
/// The table has one column for each key. Each column belongs partly to its own key and partly to at most one other key. A draw first chooses a column, each
/// with the same probability. It then chooses one of the column's keys, each with a probability equal to the key's part of the column.
/// </summary>
internal sealed class LoadKeyChooser
{
    private readonly int _keys;
    private readonly int[]? _alias;
    private readonly double[]? _own;

    /// <summary>Creates a chooser of keys 0 to <paramref name="keys"/> − 1. If <paramref name="zipf"/> is 0, all keys are equally likely.</summary>
    public LoadKeyChooser(int keys, double zipf)
    {
        _keys = keys;
        if (zipf > 0)
        {
            (_own, _alias) = BuildTable(Weights(keys, zipf));
        }
    }

    /// <summary>Returns the next key.</summary>
    public int Next(ref LoadRandom random)
    {
        int column = random.Below(_keys);
        return _own is null || random.Unit() < _own[column] ? column : _alias![column];
    }

    /// <summary>Returns the weight of each key: its probability multiplied by the number of keys.</summary>
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

        // The weights of the remaining columns are 1 except for rounding errors.
        foreach (int column in small.Concat(large))
        {
            weights[column] = 1;
        }

        return (weights, alias);
    }
}
