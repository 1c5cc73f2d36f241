using System.Runtime.CompilerServices;
using Larder.Client.Near;

namespace Larder.Client;

/// <summary>A hit with the bytes of one item. The most frequent result, so it has one field.</summary>
internal sealed class ItemHit(byte[] value) : LookupResult<CacheValue>
{
    // A byte[] that only this caller has, or a SharedValue.
    private object _value = value;

    public override LookupOutcome Outcome => LookupOutcome.Hit;

    public override CacheValue Value => new(_value, 0, Bytes.Length);

    public byte[] Bytes => _value is SharedValue shared ? shared.Bytes : Unsafe.As<byte[]>(_value);

    public override string ToString() => ResultText.Of(nameof(Hit), Value);

    /// <summary>Marks this result as shared with other callers, so that its array is never handed out again. Must run before the first caller has it.</summary>
    public void Share() => _value = new SharedValue(Bytes);
}
