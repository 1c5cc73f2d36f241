using Larder.Server.Snapshots;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>
/// <c>POST /snapshot</c>: writes a snapshot and responds when the snapshot is complete. Web pages cannot send this request, for two reasons. First, it requires
/// a header that a page may send to another site only after a successful CORS preflight, and this server never allows a preflight. Second, requests with an
/// Origin header are rejected. The request is an action, so a read-only token is not sufficient.
/// </summary>
internal static class SnapshotCommand
{
    public const string Path = "/snapshot";

    /// <summary>The name of the header that the command line sends. The header may have any value.</summary>
    public const string Header = "Larder-Command";

    public static async Task AnswerAsync(HttpContext context, ConsoleRight right, SnapshotKeeper? snapshots)
    {
        HttpRequest request = context.Request;
        HttpResponse response = context.Response;
        if (!HttpMethods.IsPost(request.Method))
        {
            await RefuseAsync(response, StatusCodes.Status405MethodNotAllowed, "method not allowed; use POST, as 'larder snapshot' does").ConfigureAwait(false);
        }
        else if (!request.Headers.ContainsKey(Header) || request.Headers.Origin.Count > 0)
        {
            const string Why = $"the header {Header} is missing, or the request comes from a web page; use 'larder snapshot'";
            await RefuseAsync(response, StatusCodes.Status403Forbidden, Why).ConfigureAwait(false);
        }
        else if (right != ConsoleRight.Admin)
        {
            const string Why = "a snapshot requires the admin token (--console-admin-token-file)";
            await RefuseAsync(response, StatusCodes.Status403Forbidden, Why).ConfigureAwait(false);
        }
        else if (snapshots is null)
        {
            const string Why = "this server has no snapshot file; start it with --snapshot FILE";
            await RefuseAsync(response, StatusCodes.Status409Conflict, Why).ConfigureAwait(false);
        }
        else
        {
            await WriteAsync(response, snapshots).ConfigureAwait(false);
        }
    }

    private static async Task WriteAsync(HttpResponse response, SnapshotKeeper snapshots)
    {
        try
        {
            SnapshotStatistics written = await snapshots.WriteAsync().ConfigureAwait(false);
            await response.WriteAsJsonAsync(SnapshotStats.Of(written), StatsJson.Default.SnapshotStats).ConfigureAwait(false);
        }
        catch (SnapshotRefusedException refused)
        {
            int status = refused.WasTried ? StatusCodes.Status500InternalServerError : StatusCodes.Status409Conflict;
            await RefuseAsync(response, status, refused.Message).ConfigureAwait(false);
        }
    }

    private static Task RefuseAsync(HttpResponse response, int status, string why) => ConsoleHost.RefuseAsync(response, status, why + "\n");
}
