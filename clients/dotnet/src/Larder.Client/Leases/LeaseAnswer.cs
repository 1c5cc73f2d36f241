using Larder.Client.Operations;

namespace Larder.Client.Leases;

/// <summary>The response to GetOrLease.</summary>
internal abstract record LeaseAnswer
{
    /// <summary>Gets the token of the granted lease, or an empty array if no lease was granted.</summary>
    public byte[] Held => this switch
    {
        Granted granted => granted.Token,
        Stale stale => stale.Token,
        _ => [],
    };

    /// <summary>The item exists.</summary>
    public sealed record Hit(byte[] Value) : LeaseAnswer;

    /// <summary>The item has expired, but the server still has its value, which may be returned as stale.</summary>
    /// <param name="Value">The value.</param>
    /// <param name="Expired">How long ago the item expired.</param>
    /// <param name="Token">The token of the granted lease. Empty if another caller has the lease.</param>
    /// <param name="Validator">The validator that was stored with the value, or an empty array.</param>
    public sealed record Stale(byte[] Value, TimeSpan Expired, byte[] Token, byte[] Validator) : LeaseAnswer;

    /// <summary>The item is missing, and the caller was granted the lease to create it.</summary>
    public sealed record Granted(byte[] Token) : LeaseAnswer;

    /// <summary>The item is missing, and another caller is creating it.</summary>
    public sealed record Elsewhere : LeaseAnswer;

    /// <summary>The call failed.</summary>
    public sealed record Failed(CacheError Failure) : LeaseAnswer;
}
