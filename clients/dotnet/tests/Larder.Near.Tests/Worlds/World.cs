using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>A snapshot of the model: two clients, a server or a fleet's gateways, and everything in flight between them.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct World
{
    /// <summary>The current time: the number of units that have passed.</summary>
    public byte Now;

    /// <summary>Whether writers at the server check for streams to notify.</summary>
    public bool IsWatching;

    /// <summary>Whether a client has already received the tickets of many other keys.</summary>
    public bool HasFlooded;

    /// <summary>
    /// The records of which stream must be notified of which change, as state numbers of <c>SlotsMachine</c>. There is one state number for the server, or one
    /// for each gateway.
    /// </summary>
    public Two<ushort> Slots;

    /// <summary>The server's log of changes, one entry for each key. A gateway's log is not modelled: it delivers each change at once.</summary>
    public Two<LoggedPart> Logged;

    /// <summary>The operations: three of the first client, followed by three of the second client.</summary>
    public Six<Operation> Operations;
    public Two<ClientPart> Clients;
    public Two<KeyPart> Keys;

    /// <summary>The streams: two of the first client, followed by two of the second client.</summary>
    public Four<StreamPart> Streams;

    public FleetPart Fleet;
}
