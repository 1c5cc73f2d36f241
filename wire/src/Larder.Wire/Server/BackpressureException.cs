namespace Larder.Wire;

/// <summary>
/// The exception that is thrown in a handler when its large response does not fit into the connection's buffer. The handler is abandoned, and runs again when
/// there is space. So a handler must not have side effects before it requests the space for its response. Handlers with earlier side effects must set
/// <see cref="RpcContext.RunsOnce"/>.
/// </summary>
internal sealed class BackpressureException : Exception;
