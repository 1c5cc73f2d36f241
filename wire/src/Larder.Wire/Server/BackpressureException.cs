namespace Larder.Wire;

/// <summary>
/// Thrown when a large response does not fit into the connection's buffer now: the handler is abandoned and run again when there is space. Only
/// handlers that write their whole response as one span at the end get this exception, so nothing with side effects is repeated. Other handlers set
/// <see cref="RpcContext.RunsOnce"/>.
/// </summary>
internal sealed class BackpressureException : Exception;
