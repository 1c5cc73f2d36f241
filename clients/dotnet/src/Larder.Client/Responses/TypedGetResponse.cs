namespace Larder.Client;

/// <summary>The answer of a typed get: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetResponse<T>
{
    private TypedGetResponse()
    {
    }

    /// <summary>The answer's name, and what is small and no secret in it.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Hit : TypedGetResponse<T>
    {
        internal Hit(T? value) => Value = value;

        /// <summary>The value; null where null was stored.</summary>
        public T? Value { get; }
    }

    /// <summary>The item does not exist, or has expired.</summary>
    public sealed class Miss : TypedGetResponse<T>
    {
        internal static readonly Miss Instance = new();

        private Miss()
        {
        }
    }

    /// <summary>The call failed, or what is stored is not what the codec reads (<see cref="CacheErrorCode.DecodingFailed"/>).</summary>
    public sealed class Error : TypedGetResponse<T>, ICacheFailure
    {
        internal Error(CacheError failure) => Failure = failure;

        /// <inheritdoc/>
        public CacheError Failure { get; }

        /// <summary>What went wrong: decide by this.</summary>
        public CacheErrorCode Code => Failure.Code;

        /// <summary>The whole story in one line, for a log.</summary>
        public string Message => Failure.Message;

        /// <inheritdoc/>
        public override string ToString() => Failure.Message;
    }
}
