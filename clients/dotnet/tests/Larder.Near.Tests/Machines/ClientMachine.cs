using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>The visited states of the clients' <c>NearState</c> objects, by number.</summary>
internal sealed class ClientMachine(Scenario scenario, Safeguard removed)
{
    private readonly Recorded<ClientUnderTest> _recorded = new(
        () => new ClientUnderTest(scenario, removed),
        static (client, call) => client.Call(ClientCall.Of(call)),
        client => ClientDescription.Of(client, scenario));

    /// <summary>Gets the number of visited states.</summary>
    public int Count => _recorded.Count;

    public int Start() => _recorded.Start();

    /// <summary>
    /// Makes a call on the state with the number <paramref name="state"/>, and sets <paramref name="state"/> to the number of the resulting state. Returns the
    /// result of the call.
    /// </summary>
    public long Call(ref int state, ClientCall call)
    {
        (state, long answer) = _recorded.Call(state, call.Packed);
        return answer;
    }
}
