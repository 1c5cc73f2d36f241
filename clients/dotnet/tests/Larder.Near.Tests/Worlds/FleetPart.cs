using System.Runtime.InteropServices;
using Larder.Near.Tests.Exploring;

namespace Larder.Near.Tests.Worlds;

/// <summary>The state of a fleet: two gateways, one for each client, and the nodes behind them.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct FleetPart
{
    /// <summary>The connections of the first gateway to each node, followed by those of the second gateway.</summary>
    public Four<LinkPart> Links;

    /// <summary>The number of further connections that may be lost.</summary>
    public byte LossesLeft;

    /// <summary>The node that stores the first key.</summary>
    public byte Owner;

    /// <summary>
    /// Whether the slot of the first key is being migrated. The second node already stores the key, but the first node still owns the slot and redirects each
    /// request (ASK).
    /// </summary>
    public bool IsMigrating;

    /// <summary>One plus the time at which the slot moved or the cache was flushed. If neither has happened, this is 0.</summary>
    public byte ChangedAt;

    /// <summary>For each gateway, the node at which it looks for the first key.</summary>
    public Two<byte> Views;

    /// <summary>Whether the first node is cut off, but has not noticed that another node owns its slots. The first node still responds.</summary>
    public bool IsCutOff;

    /// <summary>Whether the first node has noticed that it is cut off. It then rejects every call on a key.</summary>
    public bool IsRefusing;

    /// <summary>The version of the first key that the cut-off node still stores.</summary>
    public byte CutOffVersion;

    public ValueForm CutOffForm;

    /// <summary>The newest version whose write completed while the cut-off node still responded.</summary>
    public byte EndedMeanwhile;

    /// <summary>The number of flushes so far. It is part of each key's name at a node.</summary>
    public byte Generation;

    /// <summary>The gateways that know of the flush, one bit for each.</summary>
    public byte Knowing;

    /// <summary>The first key's version before the flush.</summary>
    public byte OldVersion;
}
