// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
namespace Larder.Client;

/// <summary>The response to updateTtl, increaseTtl and decreaseTtl: <see cref="Set"/>, <see cref="NotSet"/>, <see cref="Missing"/> or
/// <see cref="Error"/>.</summary>
public abstract class UpdateTtlResponse
{
    private UpdateTtlResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The TTL was changed.</summary>
    public sealed class Set : UpdateTtlResponse
    {
        internal static readonly Set Instance = new();

        private Set()
        {
        }
    }

    /// <summary>The TTL is unchanged: the new one is not longer (or not shorter).</summary>
    public sealed class NotSet : UpdateTtlResponse
    {
        internal static readonly NotSet Instance = new();

        private NotSet()
        {
        }
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Missing : UpdateTtlResponse
    {
        internal static readonly Missing Instance = new();

        private Missing()
        {
        }
    }

    /// <summary>The call failed.</summary>
    public sealed class Error : UpdateTtlResponse, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>Gets the error code. Base decisions on it.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>Gets all details in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
