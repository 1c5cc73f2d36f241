using Larder.Near.Tests.Safeguards;
using Larder.Near.Tests.Worlds;

namespace Larder.Near.Tests.Machines;

/// <summary>The states of the clients' near state that a world meets.</summary>
internal sealed class ClientMachine(Scenario scenario, Safeguard removed)
{
    private readonly Recorded<ClientUnderTest> _recorded = new(
        () => new ClientUnderTest(scenario, removed),
        static (client, call) => client.Call(ClientCall.Of(call)),
        client => ClientDescription.Of(client, scenario));

    /// <summary>States met.</summary>
    public int Count => _recorded.Count;

    public int Start() => _recorded.Start();

    /// <summary>Calls a client's state, which becomes another.</summary>
    public long Call(ref int state, ClientCall call)
    {
        (state, long answer) = _recorded.Call(state, call.Packed);
        return answer;
    }
}
