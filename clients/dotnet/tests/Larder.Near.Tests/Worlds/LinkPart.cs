using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of a gateway's tracked connection to a node.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct LinkPart
{
    /// <summary>Whether the connection is lost and the gateway has not noticed.</summary>
    public bool IsLost;

    /// <summary>The names of whose next change the node will notify the gateway, once: one bit each.</summary>
    public byte Tracks;

    /// <summary>The messages in flight to the gateway.</summary>
    public UpToEight<LinkMessage> Messages;
}
