using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct DeleteCacheOperation(CacheBytes name) : IOperation<DeleteCacheOperation, DeleteCacheResponse>
{
    private readonly CacheBytes _name = name;

    public static OperationInfo Info { get; } = OperationInfo.Control("deleteCache", "DeleteCache", isIdempotent: false);

    public int KeyLength => 0;

    public int Measure() => Field.Measure(1, _name);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, 1, _name);

    public static DeleteCacheResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return DeleteCacheResponse.Success.Instance;
    }

    public static DeleteCacheResponse Fail(CacheError error) => new DeleteCacheResponse.Error(error);
}
