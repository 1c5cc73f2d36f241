namespace Larder.Near.Tests.Machines;

/// <summary>
/// Assigns a number to each state of a state machine. The machine is an object of the production code. The effect of each call on each state is computed only
/// once. To compute it, a new machine replays the calls that lead to that state, and then makes the call. States with equal descriptions are the same state.
/// </summary>
/// <param name="create">Creates a machine in its initial state.</param>
/// <param name="call">Makes a call on a machine and returns the result.</param>
/// <param name="describe">Describes everything that the machine's later results depend on.</param>
internal sealed class Recorded<TMachine>(Func<TMachine> create, Func<TMachine, ulong, long> call, Func<TMachine, string> describe)
{
    private readonly List<(int Parent, ulong Call)> _paths = [];
    private readonly Dictionary<string, int> _numbers = [];
    private readonly Dictionary<(int State, ulong Call), (int State, long Answer)> _known = [];

    /// <summary>Gets the number of visited states.</summary>
    public int Count => _paths.Count;

    /// <summary>Gets the number of computed effects. Each effect belongs to one state and one call.</summary>
    public int Calls => _known.Count;

    /// <summary>Returns the number that identifies the state of a new machine.</summary>
    public int Start() => Number(create(), parent: -1, call: 0);

    /// <summary>Returns the effect of a call on a state: the number of the resulting state, and the machine's result.</summary>
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
        (int parent, ulong what) = _paths[state];
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
            number = _paths.Count;
            _numbers.Add(description, number);
            _paths.Add((parent, call));
        }

        return number;
    }
}
