using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of one client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct ClientPart
{
    /// <summary>The number of the client's near state in <c>ClientMachine</c>.</summary>
    public int Machine;

    /// <summary>The number of further calls that the client may make.</summary>
    public byte CallsLeft;

    /// <summary>The number of further lease renewals that the client may send.</summary>
    public byte RenewsLeft;

    /// <summary>The number of further calls that may fail or be cancelled while the server continues them.</summary>
    public byte ErrorsLeft;

    /// <summary>The number of streams opened so far.</summary>
    public byte Streams;

    /// <summary>
    /// For each key, the lowest version that the client may still read. This is the highest version that the client has read or written, that was announced to
    /// the client, or that another client wrote long enough ago.
    /// </summary>
    public Two<byte> Floors;
}
