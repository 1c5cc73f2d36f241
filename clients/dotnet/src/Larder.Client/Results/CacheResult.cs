using System.Diagnostics.CodeAnalysis;

namespace Larder.Client;

/// <summary>The result of a call that returns no value: success or error.</summary>
public sealed class CacheResult : ICacheResult
{
    internal static readonly CacheResult Success = new(error: null);

    private CacheResult(CacheError? error) => Error = error;

    /// <summary>Gets whether the call succeeded.</summary>
    [MemberNotNullWhen(false, nameof(Error))]
    public bool IsSuccess => Error is null;

    /// <summary>Gets whether the call failed.</summary>
    [MemberNotNullWhen(true, nameof(Error))]
    public bool IsError => Error is not null;

    /// <inheritdoc/>
    public CacheError? Error { get; }

    /// <summary>Returns <c>Success</c>, or the error's message.</summary>
    public override string ToString() => Error?.Message ?? nameof(Success);

    internal static CacheResult Failed(CacheError error) => new(error);
}
