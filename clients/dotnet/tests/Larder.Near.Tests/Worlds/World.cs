using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>Two clients, a server or the gateways of a fleet, and all that is under way between them, at one moment.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct World
{
    /// <summary>How often time has passed.</summary>
    public byte Now;

    /// <summary>Whether the server has writers look who is to be told.</summary>
    public bool IsWatching;

    /// <summary>Whether a client has been told of more of others' keys than it remembers.</summary>
    public bool HasFlooded;

    /// <summary>Who is to be told of what, at the server or at each gateway: numbers of <c>SlotsMachine</c>.</summary>
    public Two<ushort> Slots;

    /// <summary>Three of the first client's, then three of the second's.</summary>
    public Six<Operation> Operations;
    public Two<ClientPart> Clients;
    public Two<KeyPart> Keys;

    /// <summary>Two of the first client's, then two of the second's.</summary>
    public Four<StreamPart> Streams;

    public FleetPart Fleet;
}
