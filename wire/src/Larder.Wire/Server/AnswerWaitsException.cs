namespace Larder.Wire;

/// <summary>
/// A call's answer is large and its connection has no room for it now: the handler is left and run again when there is. Only a handler whose whole answer is
/// one span, written at its end, meets it: nothing of it is done twice that counts. See <see cref="RpcContext.RunsOnce"/> for others.
/// </summary>
internal sealed class AnswerWaitsException : Exception;
