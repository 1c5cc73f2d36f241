using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Larder.Server.Calls;
using Larder.Store.Collections;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>
/// Collects the elements of a response from several replies, and stores them in encoded form. Stops collecting when the response exceeds its size limit.
/// </summary>
/// <typeparam name="TElement">The encoding of an element.</typeparam>
/// <param name="whole">The call whose response is collected.</param>
/// <param name="instead">The call that the error suggests if the response is too large.</param>
[SuppressMessage("Reliability", "CA1001", Justification = "Its block is an array, which the collector takes with it.")]
internal sealed class AnswerParts<TElement>(RemoteCommand whole, string instead)
    where TElement : struct, IElementFormat
{
    // The initial buffer size, which is enough for a first part with short values.
    private const int FirstBytes = 64 * 1024;

    private PooledBuffer? _parts;
    private long _bytes;
    private int _elements;

    /// <summary>Gets whether the response exceeds its size limit. If so, no more elements are collected.</summary>
    public bool IsTooLarge => _bytes > whole.MaxBytes();

    /// <summary>Gets the number of encoded bytes.</summary>
    public int Written => _parts?.Written ?? 0;

    /// <summary>Gets the number of elements.</summary>
    public int Elements => _elements;

    /// <summary>Marks the response as too large, because a node reported that it would be.</summary>
    public void SetTooLarge() => _bytes = long.MaxValue;

    /// <summary>Adds a copy of an element.</summary>
    public void Add(scoped in CollectionElement element)
    {
        if (IsTooLarge)
        {
            return;
        }

        int bytes = element.Name.Length + element.Value.Length + TElement.OverheadBytesPerElement;
        _bytes += bytes;
        if (IsTooLarge)
        {
            return;
        }

        _elements++;
        _parts ??= new PooledBuffer(FirstBytes);
        ElementSink<TElement> sink = new(_parts.GetSpan(bytes));
        sink.Accept(element);
        _parts.Advance(sink.Written);
    }

    /// <summary>Writes the response for an existing collection and releases the elements.</summary>
    public CallError? Write(IBufferWriter<byte> response)
    {
        try
        {
            if (IsTooLarge)
            {
                return CollectionAnswer.TooLarge(whole.MaxBytes(), instead);
            }

            CollectionAnswer<TElement> answer = new(whole.Target.MaxAnswerBytes, response);
            ElementSink<TElement> sink = answer.BeginFor(_elements, (int)(_bytes - ((long)_elements * TElement.OverheadBytesPerElement)));
            sink.AcceptWritten(_parts is null ? default : _parts.WrittenSpan);
            return answer.End(CollectionOutcome.Ok, sink, instead);
        }
        finally
        {
            LetGo();
        }
    }

    /// <summary>Releases the elements.</summary>
    public void LetGo()
    {
        _parts?.Dispose();
        _parts = null;
    }
}
