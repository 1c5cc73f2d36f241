using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of a gateway's tracked connection to a node.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct LinkPart
{
    /// <summary>Whether the connection is lost, but the gateway has not noticed the loss.</summary>
    public bool IsLost;

    /// <summary>
    /// The names of the keys that the gateway tracks, one bit for each. The node notifies the gateway of the next change of such a key, but not of later
    /// changes.
    /// </summary>
    public byte Tracks;

    /// <summary>The messages in flight to the gateway.</summary>
    public UpToEight<LinkMessage> Messages;
}
