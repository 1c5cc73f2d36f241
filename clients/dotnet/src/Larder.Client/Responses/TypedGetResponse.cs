namespace Larder.Client;

/// <summary>The response to a typed <c>GetAsync</c>: <see cref="Hit"/>, <see cref="Miss"/> or <see cref="Error"/>.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
public abstract class TypedGetResponse<T>
{
    private TypedGetResponse()
    {
    }

    /// <summary>Returns the response's type and non-sensitive details.</summary>
    public override string ToString() => GetType().Name;

    /// <summary>The item exists.</summary>
    public sealed class Hit : TypedGetResponse<T>
    {
        internal Hit(T? value) => Value = value;

        /// <summary>Gets the value. Null if null was stored.</summary>
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

    /// <summary>The call failed, or the codec cannot decode the stored value (<see cref="CacheErrorCode.DecodingFailed"/>).</summary>
    public sealed class Error : TypedGetResponse<T>, ICacheFailure
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
