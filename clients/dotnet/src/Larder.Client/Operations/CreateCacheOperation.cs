using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct CreateCacheOperation(CacheBytes name) : IOperation<CreateCacheOperation, CreateCacheResponse>
{
    private readonly CacheBytes _name = name;

    public static OperationInfo Info { get; } = OperationInfo.Control("createCache", "CreateCache", isIdempotent: false);

    public int KeyLength => 0;

    public int Measure() => Field.Measure(1, _name);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, 1, _name);

    public static CreateCacheResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CreateCacheResponse.Success.Instance;
    }

    public static CreateCacheResponse Fail(CacheError error) => new CreateCacheResponse.Error(error);
}
