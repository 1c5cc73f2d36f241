using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct DeleteOperation(CacheBytes key) : IOperation<DeleteOperation, DeleteResponse>
{
    private readonly CacheBytes _key = key;

    public static OperationInfo Info { get; } = OperationInfo.Data("delete", "Delete", 6, isIdempotent: true);

    public int KeyLength => _key.Length;

    public int Measure() => Field.MeasureKey(_key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, _key);

    public static DeleteResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return DeleteResponse.Success.Instance;
    }

    public static DeleteResponse Fail(CacheError error) => new DeleteResponse.Error(error);
}
