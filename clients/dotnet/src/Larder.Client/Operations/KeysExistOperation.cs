using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class KeysExistOperation(IReadOnlyList<CacheBytes> keys) : IOperation<KeysExistOperation, CacheResult<IReadOnlyList<bool>>>
{
    public static OperationInfo Info => OperationTable.KeysExist;

    public int KeyLength => keys.Count > 0 ? keys[0].Length : 0;

    public void EndCopies(NearReads near, string cache)
    {
        foreach (CacheBytes each in keys)
        {
            near.Ended(cache, each);
        }
    }

    public static int BatchSizeOf(in KeysExistOperation operation) => operation.ItemCount;

    private int ItemCount => keys.Count;

    public int Measure()
    {
        int length = 0;
        foreach (CacheBytes key in keys)
        {
            length += Field.MeasureKey(key);
        }

        return length;
    }

    public void Write(ref ProtoWriter writer)
    {
        foreach (CacheBytes key in keys)
        {
            Field.Write(ref writer, Field.Key, key);
        }
    }

    public static CacheResult<IReadOnlyList<bool>> Decode(ReadOnlySpan<byte> payload) => CacheResult<IReadOnlyList<bool>>.Success(Answer.ReadFlags(payload, 1));

    public static void Require(in KeysExistOperation operation, CacheResult<IReadOnlyList<bool>> response) =>
        Answer.RequireCount(response, operation.ItemCount);

    public static CacheResult<IReadOnlyList<bool>> Fail(CacheError error) => CacheResult<IReadOnlyList<bool>>.Failed(error);
}
