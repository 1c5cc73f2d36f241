using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Store.Collections;

namespace Larder.Server.Fleet;

/// <summary>Translates a node's reply about a collection into the response of a call.</summary>
internal static class CollectionReply
{
    /// <summary>A script returns this number if the response would be too large. The script has then changed nothing.</summary>
    public const long TooLarge = 1;

    /// <summary>A script returns this number if the gateway should read the elements with a plain Redis command.</summary>
    public const long UsePlainCommand = 2;

    /// <summary>A script returns this number if the work is too much for a light command. The script has then changed nothing.</summary>
    public const long NeedsTurn = -2;

    /// <summary>
    /// A script returns this number instead of <see cref="NeedsTurn"/> if the work is too much for a light command and should also be split into parts.
    /// </summary>
    public const long NeedsParts = -3;

    /// <summary>Returns whether a light command has found too much work. The command must then run again as a heavy command.</summary>
    public static bool NeedsTurnAsHeavy(this RemoteCommand command, in RespReader reply) => command.Effort != Effort.Heavy && reply.Is(NeedsTurn);

    /// <summary>Returns the maximum number of elements that the script of a command may access. A heavy command has no limit.</summary>
    /// <param name="command">The call.</param>
    /// <param name="light">The limit of a light command.</param>
    public static long MaxElements(this RemoteCommand command, int light) => command.Effort == Effort.Heavy ? long.MaxValue : light;

    /// <summary>Returns whether the reply is the given script result instead of elements.</summary>
    public static bool Is(this in RespReader reply, long verdict) => reply.Kind == RespKind.Integer && reply.Integer == verdict;

    /// <summary>Returns the maximum size of the command's response in bytes, in the form in which scripts receive it.</summary>
    public static int MaxBytes(this RemoteCommand command) => CollectionAnswer.MaxOf(command.Target.MaxAnswerBytes);

    /// <summary>Writes the length. Writes a miss if the collection does not exist.</summary>
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

    /// <summary>Writes the elements. Returns the error if the script returned a number instead.</summary>
    /// <typeparam name="TReply">Reads an element from the reply.</typeparam>
    /// <typeparam name="TElement">Writes an element to the response.</typeparam>
    /// <param name="command">The call.</param>
    /// <param name="reply">The reply, positioned at the array of elements.</param>
    /// <param name="response">Receives the response.</param>
    /// <param name="instead">The call that the error suggests if the response is too large.</param>
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
            return CollectionAnswer.TooLarge(command.MaxBytes(), instead);
        }

        return WriteFound<TReply, TElement>(command, ref reply, TReply.CountIn(reply), response, instead);
    }

    /// <summary>Writes a known number of elements of an existing collection.</summary>
    /// <inheritdoc cref="Write"/>
    /// <param name="elements">The number of elements.</param>
    /// <param name="length">For a pop: the number of elements that remain.</param>
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

    /// <summary>Returns the total size of the elements' names and values in bytes.</summary>
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
