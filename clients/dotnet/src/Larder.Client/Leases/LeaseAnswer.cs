using Larder.Client.Operations;

namespace Larder.Client.Leases;

/// <summary>What GetOrLease answered.</summary>
internal abstract record LeaseAnswer
{
    /// <summary>The token of the lease that it gave; empty: none.</summary>
    public byte[] Held => this switch
    {
        Granted granted => granted.Token,
        Stale stale => stale.Token,
        _ => [],
    };

    /// <summary>The item is there.</summary>
    public sealed record Hit(byte[] Value) : LeaseAnswer;

    /// <summary>It has expired, and may be served as stale.</summary>
    /// <param name="Value">The value.</param>
    /// <param name="Expired">How long ago it expired.</param>
    /// <param name="Token">The lease's; empty where somebody else has it.</param>
    public sealed record Stale(byte[] Value, TimeSpan Expired, byte[] Token) : LeaseAnswer;

    /// <summary>It is not there, and the caller is to make it.</summary>
    public sealed record Granted(byte[] Token) : LeaseAnswer;

    /// <summary>It is not there, and somebody else makes it.</summary>
    public sealed record Elsewhere : LeaseAnswer;

    /// <summary>The call failed.</summary>
    public sealed record Failed(CacheError Failure) : LeaseAnswer;
}
