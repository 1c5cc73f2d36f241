using Larder.Server.Calls;
using Larder.Wire;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>Ends a request of the page with an HTTP status and a message for the user.</summary>
internal sealed class ApiException(int status, string message) : Exception(message)
{
    public int Status { get; } = status;

    /// <summary>
    /// Creates the exception for a scan that cannot continue. An outdated cursor is reported as 410 (Gone), so that the page starts the scan again.
    /// </summary>
    public static ApiException OfScan(CallError error) => error.Code switch
    {
        StatusCode.NotFound => new ApiException(StatusCodes.Status404NotFound, error.Message),
        StatusCode.InvalidArgument or StatusCode.FailedPrecondition => new ApiException(StatusCodes.Status410Gone, error.Message),
        _ => new ApiException(StatusCodes.Status503ServiceUnavailable, error.Message),
    };

    /// <summary>Creates the exception for a key that now has an item of another type.</summary>
    public static ApiException OtherType() =>
        new(StatusCodes.Status409Conflict, "the type of the key's item has changed; search for it again");
}
