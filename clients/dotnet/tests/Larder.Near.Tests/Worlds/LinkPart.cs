using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>A gateway's tracked connection to a node.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct LinkPart
{
    /// <summary>It is lost, and the gateway has not noticed.</summary>
    public bool IsLost;

    /// <summary>Names that the node will tell of once: a bit each.</summary>
    public byte Tracks;

    /// <summary>Messages on their way to the gateway.</summary>
    public UpToEight<LinkMessage> Messages;
}
