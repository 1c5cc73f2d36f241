using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Larder.Server.Calls;
using Larder.Store.Collections;
using Larder.Wire;

namespace Larder.Server.Fleet;

/// <summary>The elements of an answer that come in parts: gathered as they will be answered, and no further than the answer may have.</summary>
/// <typeparam name="TElement">How an element is written.</typeparam>
/// <param name="whole">The call.</param>
/// <param name="instead">What a caller may ask instead of an answer that is too large.</param>
[SuppressMessage("Reliability", "CA1001", Justification = "Its block is an array, which the collector takes with it.")]
internal sealed class AnswerParts<TElement>(RemoteCommand whole, string instead)
    where TElement : struct, IElementFormat
{
    // Of a first part of short values.
    private const int FirstBytes = 64 * 1024;

    private PooledBuffer? _parts;
    private long _bytes;
    private int _elements;

    /// <summary>Whether it is more than the answer may have: nothing more is gathered.</summary>
    public bool IsTooLarge => _bytes > whole.MostBytes();

    /// <summary>Bytes that were gathered.</summary>
    public int Written => _parts?.Written ?? 0;

    /// <summary>Elements that were gathered.</summary>
    public int Elements => _elements;

    /// <summary>A node says that it is more than the answer may have.</summary>
    public void SetTooLarge() => _bytes = long.MaxValue;

    /// <summary>Adds an element; copied.</summary>
    public void Add(scoped in CollectionElement element)
    {
        if (IsTooLarge)
        {
            return;
        }

        int bytes = element.Name.Length + element.Value.Length + TElement.BytesBeside;
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

    /// <summary>Writes the answer of a collection that is there, and lets go of the elements.</summary>
    public CallError? Write(IBufferWriter<byte> response)
    {
        try
        {
            if (IsTooLarge)
            {
                return CollectionAnswer.TooLarge(whole.MostBytes(), instead);
            }

            CollectionAnswer<TElement> answer = new(whole.Target.MaxAnswerBytes, response);
            ElementSink<TElement> sink = answer.BeginFor(_elements, (int)(_bytes - ((long)_elements * TElement.BytesBeside)));
            sink.AcceptWritten(_parts is null ? default : _parts.WrittenSpan);
            return answer.End(CollectionOutcome.Ok, sink, instead);
        }
        finally
        {
            LetGo();
        }
    }

    /// <summary>Lets go of the elements.</summary>
    public void LetGo()
    {
        _parts?.Dispose();
        _parts = null;
    }
}
