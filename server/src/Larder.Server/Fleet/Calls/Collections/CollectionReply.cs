using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Writes what a node says of a collection as the answer of a call.</summary>
internal static class CollectionReply
{
    /// <summary>What a script says of an answer that would be too large: nothing was changed.</summary>
    public const long TooLarge = 1;

    /// <summary>What a script says of elements that are better read by a plain command.</summary>
    public const long ReadAtOnce = 2;

    /// <summary>What a light script says where it would be more work than may be done without a turn: it has done nothing.</summary>
    public const long NeedsTurn = -2;

    /// <summary>As <see cref="NeedsTurn"/>; and the work is better done in parts.</summary>
    public const long NeedsParts = -3;

    /// <summary>Whether a light command has found that it needs a turn.</summary>
    public static bool IsTooHeavy(this RemoteCommand command, in RespReader reply) => command.Effort != Effort.Heavy && reply.Is(NeedsTurn);

    /// <summary>The most elements that a script may touch by the command's effort.</summary>
    /// <param name="command">The call.</param>
    /// <param name="light">What a light one may.</param>
    public static long MostElements(this RemoteCommand command, int light) => command.Effort == Effort.Heavy ? long.MaxValue : light;

    /// <summary>Whether a script's reply is one of the above, and no elements.</summary>
    public static bool Is(this in RespReader reply, long verdict) => reply.Kind == RespKind.Integer && reply.Integer == verdict;

    /// <summary>The most bytes that the command's answer may have, as scripts are told.</summary>
    public static int MostBytes(this RemoteCommand command) => CollectionAnswer.MostOf(command.Target.MaxAnswerBytes);

    /// <summary>Writes a length; nothing where there is no collection.</summary>
    public static void WriteLength(in RespReader reply, IBufferWriter<byte> response)
    {
        if (reply.IsNull)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
        }
        else
        {
            response.WriteVarintArm(1, CollectionAnswer.ToUInt32(reply.Integer));
        }
    }

    /// <summary>Writes elements; what a script says instead of them, too.</summary>
    /// <typeparam name="TReply">How they stand in the reply.</typeparam>
    /// <typeparam name="TElement">How they are written.</typeparam>
    /// <param name="command">The call.</param>
    /// <param name="reply">Stands on the array of elements.</param>
    /// <param name="response">Takes the answer.</param>
    /// <param name="instead">What a caller may ask instead of an answer that is too large.</param>
    public static CallError? Write<TReply, TElement>(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response, string instead)
        where TReply : struct, IReplyElement
        where TElement : struct, IElementFormat
    {
        if (reply.IsNull)
        {
            response.WriteEmptyArm(CollectionAnswer.Missing);
            return null;
        }

        if (reply.Is(TooLarge))
        {
            return CollectionAnswer.TooLarge(command.MostBytes(), instead);
        }

        return WriteFound<TReply, TElement>(command, ref reply, TReply.CountIn(reply), response, instead);
    }

    /// <summary>Writes so many elements of a collection that is there.</summary>
    /// <inheritdoc cref="Write"/>
    /// <param name="elements">How many.</param>
    /// <param name="length">Of a pop: the elements that are left.</param>
    public static CallError? WriteFound<TReply, TElement>(
        RemoteCommand command,
        ref RespReader reply,
        int elements,
        IBufferWriter<byte> response,
        string instead,
        long length = 0)
        where TReply : struct, IReplyElement
        where TElement : struct, IElementFormat
    {
        CollectionAnswer<TElement> answer = new(command.Target.MaxAnswerBytes, response);
        long bytes = Measure<TReply>(reply, elements);
        if (answer.Check(elements, instead, bytes) is { } error)
        {
            return error;
        }

        ElementSink<TElement> sink = answer.BeginFor(elements, (int)bytes);
        for (int left = elements; left > 0; left--)
        {
            sink.Accept(TReply.Next(ref reply));
        }

        return answer.End(CollectionOutcome.Ok, sink, instead, length);
    }

    /// <summary>Bytes of elements: of their names and values.</summary>
    public static long Measure<TReply>(RespReader reply, int elements)
        where TReply : struct, IReplyElement
    {
        long bytes = 0;
        for (int left = elements; left > 0; left--)
        {
            CollectionElement element = TReply.Next(ref reply);
            bytes += element.Name.Length + element.Value.Length;
        }

        return bytes;
    }
}
