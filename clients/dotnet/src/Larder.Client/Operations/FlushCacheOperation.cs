using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct FlushCacheOperation(CacheBytes name) : IOperation<FlushCacheOperation, FlushCacheResponse>
{
    private readonly CacheBytes _name = name;

    public static OperationInfo Info { get; } = OperationInfo.Control("flushCache", "FlushCache", isIdempotent: false);

    public int KeyLength => 0;

    public int Measure() => Field.Measure(1, _name);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, 1, _name);

    public static FlushCacheResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return FlushCacheResponse.Success.Instance;
    }

    public static FlushCacheResponse Fail(CacheError error) => new FlushCacheResponse.Error(error);
}
