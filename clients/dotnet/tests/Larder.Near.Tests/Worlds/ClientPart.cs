using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of one client.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct ClientPart
{
    /// <summary>The near state, as a state number of <c>ClientMachine</c>.</summary>
    public int Machine;

    /// <summary>The number of calls that the client may still make.</summary>
    public byte CallsLeft;

    /// <summary>The number of lease renewals that the client may still send.</summary>
    public byte RenewsLeft;

    /// <summary>The number of calls that may still end early for their caller.</summary>
    public byte ErrorsLeft;

    /// <summary>The number of streams opened so far.</summary>
    public byte Streams;

    /// <summary>
    /// The lowest version of each key that the client may still read: it saw, wrote or was told of that version, or another client wrote it long enough ago.
    /// </summary>
    public Two<byte> Floors;
}
