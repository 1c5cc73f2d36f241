namespace Larder.Server.Tests.Calls.Collections;

/// <summary>How a call travels.</summary>
public enum Transport
{
    Unary,
    Pipeline,
}
