using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <summary>A hit with the bytes of one item. It is the most frequent result, so it has only one field, to save memory.</summary>
internal sealed class ItemHit(byte[] value) : LookupResult<CacheValue>
{
    // A byte[] that is not shared with other callers, or a SharedValue.
    private object _value = value;

    public override LookupOutcome Outcome => LookupOutcome.Hit;

    public override CacheValue Value => new(_value, 0, Bytes.Length);

    public byte[] Bytes => _value is SharedValue shared ? shared.Bytes : Unsafe.As<byte[]>(_value);

    public override string ToString() => ResultText.Of(nameof(Hit), Value);

    /// <summary>
    /// Marks this result as shared with other callers, so that callers get copies of its array and not the array itself. Must be called before the first caller
    /// gets the result.
    /// </summary>
    public void Share() => _value = new SharedValue(Bytes);
}
