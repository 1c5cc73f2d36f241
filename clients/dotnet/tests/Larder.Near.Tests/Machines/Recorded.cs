namespace Larder.Near.Tests.Machines;

/// <summary>
/// A machine of the shipped code, by what was called on it. Its states have numbers, and what a call does to a state is found out once, on the machine itself:
/// one is made anew, is called as on the way to that state, and then so. Two states are one where their descriptions are.
/// </summary>
/// <param name="create">Makes the machine anew.</param>
/// <param name="call">Calls it, and tells its answer.</param>
/// <param name="describe">All that its later answers depend on.</param>
internal sealed class Recorded<TMachine>(Func<TMachine> create, Func<TMachine, ulong, long> call, Func<TMachine, string> describe)
{
    private readonly List<(int Parent, ulong Call)> _ways = [];
    private readonly Dictionary<string, int> _numbers = [];
    private readonly Dictionary<(int State, ulong Call), (int State, long Answer)> _known = [];

    /// <summary>States met.</summary>
    public int Count => _ways.Count;

    /// <summary>Calls whose outcome was found out.</summary>
    public int Calls => _known.Count;

    /// <summary>The state of a machine that nobody has called.</summary>
    public int Start() => Number(create(), parent: -1, call: 0);

    /// <summary>What a call does to a state: the state afterwards, and the machine's answer.</summary>
    public (int State, long Answer) Call(int state, ulong what)
    {
        if (!_known.TryGetValue((state, what), out (int State, long Answer) known))
        {
            TMachine machine = create();
            Repeat(machine, state);
            long answer = call(machine, what);
            known = (Number(machine, state, what), answer);
            _known.Add((state, what), known);
        }

        return known;
    }

    private void Repeat(TMachine machine, int state)
    {
        (int parent, ulong what) = _ways[state];
        if (parent >= 0)
        {
            Repeat(machine, parent);
            call(machine, what);
        }
    }

    private int Number(TMachine machine, int parent, ulong call)
    {
        string description = describe(machine);
        if (!_numbers.TryGetValue(description, out int number))
        {
            number = _ways.Count;
            _numbers.Add(description, number);
            _ways.Add((parent, call));
        }

        return number;
    }
}
