using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Larder.Server.Security;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging;

namespace Larder.Server.Console.Api;

/// <summary>
/// The JSON API of the console's page, under <c>/api/</c>. The page reads statistics by GET. Actions, and requests that return keys or values, use POST or
/// DELETE, so that URLs never contain keys; <see cref="ActionCheck"/> verifies them. The size of every response is limited.
/// </summary>
internal sealed class ConsoleApi(
    ConsoleAccess access,
    StatsReader stats,
    IConsoleStore store,
    KeySearch search,
    Authenticator authenticator,
    ServerOptions options,
    ILogger logger)
{
    /// <summary>The prefix of the paths of the API.</summary>
    public const string Folder = "/api/";

    /// <summary>The maximum number of caches in a response.</summary>
    public const int MaxCaches = 1_000;

    /// <summary>The maximum number of tokens in a response.</summary>
    public const int MaxTokens = 1_000;

    /// <summary>The maximum number of topics in a response.</summary>
    public const int MaxTopics = 200;

    /// <summary>The approximate number of keys per page.</summary>
    public const int MaxKeys = 100;

    /// <summary>The approximate number of fields or elements per page.</summary>
    public const int MaxElements = 100;

    /// <summary>The maximum length in bytes of a key that can be viewed. Only the beginning of a longer key is shown.</summary>
    public const int MaxKeyBytes = 32 * 1024;

    /// <summary>
    /// The maximum number of bytes of a value that are shown. A field or element of a collection has the same limit. If a page contains many large elements,
    /// <c>MaxPageBytes</c> limits them further.
    /// </summary>
    public const int MaxValueBytes = 64 * 1024;

    /// <summary>
    /// The maximum total size in bytes of the fields, values and elements of a page. If their total is larger, each of them is truncated further.
    /// </summary>
    public const int MaxPageBytes = 512 * 1024;

    // The maximum size of a request body. It is enough for the longest key in base64 and for the other parts of the request.
    private const int MaxBodyBytes = 48 * 1024;

    private readonly ActionCheck _check = new();

    /// <summary>Handles a request whose host name has already been checked.</summary>
    public async Task AnswerAsync(HttpContext context, string path)
    {
        try
        {
            ConsoleRight right = access.RightOf(context.Request);
            if (right == ConsoleRight.None)
            {
                context.Response.Headers.WWWAuthenticate = "Bearer";
                throw new ApiException(StatusCodes.Status401Unauthorized, "the console requires a token");
            }

            if (ActionCheck.RefuseSite(context.Request) is { } site)
            {
                throw new ApiException(StatusCodes.Status403Forbidden, site);
            }

            string method = context.Request.Method;
            await (HttpMethods.IsGet(method) || HttpMethods.IsHead(method)
                ? ReadAsync(context, path, right)
                : ActAsync(context, $"{method} {path[Folder.Length..]}", right)).ConfigureAwait(false);
        }
        catch (ApiException refused)
        {
            context.Response.StatusCode = refused.Status;
            await WriteAsync(context, new ErrorAnswer(refused.Message), ApiJson.Default.ErrorAnswer).ConfigureAwait(false);
        }
    }

    private Task ReadAsync(HttpContext context, string path, ConsoleRight right) => path[Folder.Length..] switch
    {
        "session" => WriteAsync(context, Session(right), ApiJson.Default.SessionAnswer),
        "overview" => WriteAsync(context, stats.ReadOverview(right == ConsoleRight.Admin), ApiJson.Default.OverviewAnswer),
        "monitor" => WriteAsync(context, Monitor(context, right), ApiJson.Default.MonitorAnswer),
        "caches" => WriteAsync(context, Caches(), ApiJson.Default.CachesAnswer),
        "audit" => WriteAsync(context, Noted(right), ApiJson.Default.AuditAnswer),
        "tokens" => WriteAsync(context, Tokens(right), ApiJson.Default.TokensAnswer),
        "topics" => WriteAsync(context, Topics(right), ApiJson.Default.TopicsAnswer),
        _ => throw NotFound(),
    };

    private async Task ActAsync(HttpContext context, string action, ConsoleRight right)
    {
        if (right != ConsoleRight.Admin)
        {
            throw NotAdmin();
        }

        if (_check.RefuseAction(context.Request) is { } refusal)
        {
            throw new ApiException(refusal.Status, refusal.Why);
        }

        switch (action)
        {
            case "POST caches":
                await ChangeAsync(context, "made", request => store.MakeAsync(request.Cache, request.MaxBytes)).ConfigureAwait(false);
                break;
            case "POST caches/flush":
                await ChangeAsync(context, "flushed", request => store.FlushAsync(request.Cache)).ConfigureAwait(false);
                break;
            case "DELETE caches":
                await ChangeAsync(context, "deleted", request => store.DeleteAsync(request.Cache)).ConfigureAwait(false);
                break;
            case "POST keys":
                KeysRequest keys = await ReadBodyAsync(context, ApiJson.Default.KeysRequest).ConfigureAwait(false);
                RequireName(keys.Cache);
                await WriteAsync(context, await search.FindAsync(keys).ConfigureAwait(false), ApiJson.Default.KeysAnswer).ConfigureAwait(false);
                break;
            case "POST item":
                ItemAnswer? item = await store.LookAsync(await ReadItemAsync(context).ConfigureAwait(false)).ConfigureAwait(false);
                await WriteAsync(context, item ?? throw NoItem(), ApiJson.Default.ItemAnswer).ConfigureAwait(false);
                break;
            case "POST elements":
                ElementsRequest asked = await ReadBodyAsync(context, ApiJson.Default.ElementsRequest).ConfigureAwait(false);
                RequireKey(asked.Cache, asked.Key);
                ElementsAnswer? page = await store.ReadElementsPageAsync(asked).ConfigureAwait(false);
                await WriteAsync(context, page ?? throw NoItem(), ApiJson.Default.ElementsAnswer).ConfigureAwait(false);
                break;
            case "DELETE item":
                ItemRequest gone = await ReadItemAsync(context).ConfigureAwait(false);
                await store.DeleteItemAsync(gone).ConfigureAwait(false);
                LogAction(context, "deleted an item", gone.Cache);
                await WriteAsync(context, new DoneAnswer("item deleted"), ApiJson.Default.DoneAnswer).ConfigureAwait(false);
                break;
            default:
                throw NotFound();
        }
    }

    private static async Task<ItemRequest> ReadItemAsync(HttpContext context)
    {
        ItemRequest item = await ReadBodyAsync(context, ApiJson.Default.ItemRequest).ConfigureAwait(false);
        RequireKey(item.Cache, item.Key);
        return item;
    }

    private async Task ChangeAsync(HttpContext context, string done, Func<CacheRequest, Task> change)
    {
        CacheRequest request = await ReadBodyAsync(context, ApiJson.Default.CacheRequest).ConfigureAwait(false);
        RequireName(request.Cache);
        await change(request).ConfigureAwait(false);
        LogAction(context, done, request.Cache);
        await WriteAsync(context, new DoneAnswer($"cache {done}"), ApiJson.Default.DoneAnswer).ConfigureAwait(false);
    }

    private SessionAnswer Session(ConsoleRight right) => new()
    {
        Version = ServerVersion.Text,
        Csrf = _check.Token,
        MayAct = right == ConsoleRight.Admin,
        CanAct = access.CanAct,
        IsGateway = options.IsGateway,
        MaxTtlMs = (long)options.MaxTtl.TotalMilliseconds,
    };

    // The sampled calls contain keys, so this request requires the right to view items.
    private MonitorAnswer Monitor(HttpContext context, ConsoleRight right)
    {
        if (right != ConsoleRight.Admin)
        {
            throw NotAdmin();
        }

        _ = long.TryParse(context.Request.Query["after"], NumberStyles.None, CultureInfo.InvariantCulture, out long after);
        return stats.ReadCalls(after);
    }

    private AuditAnswer Noted(ConsoleRight right)
    {
        if (right != ConsoleRight.Admin)
        {
            throw NotAdmin();
        }

        return new AuditAnswer([.. authenticator.Audit.Read().Select(AuditLineAnswer.Of)]);
    }

    private TokensAnswer Tokens(ConsoleRight right) => right == ConsoleRight.Admin ? TokensAnswer.Of(authenticator.Access) : throw NotAdmin();

    // Callers choose topic names, which can therefore contain confidential data, as keys can. This request requires the right to view items.
    private TopicsAnswer Topics(ConsoleRight right) => right == ConsoleRight.Admin ? stats.ReadTopics() : throw NotAdmin();

    private CachesAnswer Caches()
    {
        IReadOnlyList<CacheAnswer> all = store.Caches();
        return new CachesAnswer([.. all.Take(MaxCaches)], all.Count);
    }

    // The cache name comes from the caller. It is logged as an escaped JSON string, so it cannot contain a line break.
    private void LogAction(HttpContext context, string done, string cache)
    {
        string address = context.Connection.RemoteIpAddress?.ToString() ?? "";
        authenticator.Audit.Note(AuditKind.ConsoleAction, access.CallerIdOf(context.Request), address, done, cache);
        Log.ConsoleAction(logger, done, JsonEncodedText.Encode(cache).ToString(), address);
    }

    private static void RequireName(string cache)
    {
        if (!CacheName.IsValid(cache))
        {
            throw new ApiException(StatusCodes.Status400BadRequest, $"a cache name must be 1 to {CacheName.MaxCharacters} characters and not blank");
        }
    }

    private static void RequireKey(string cache, byte[] key)
    {
        RequireName(cache);
        if (key.Length is 0 or > MaxKeyBytes)
        {
            throw new ApiException(StatusCodes.Status400BadRequest, $"the console only shows keys of 1 to {MaxKeyBytes} bytes");
        }
    }

    private static async Task<T> ReadBodyAsync<T>(HttpContext context, JsonTypeInfo<T> shape)
        where T : class
    {
        if (context.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
        {
            limit.MaxRequestBodySize = MaxBodyBytes;
        }

        try
        {
            return await JsonSerializer.DeserializeAsync(context.Request.Body, shape, context.RequestAborted).ConfigureAwait(false) ?? throw NotJson();
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException)
        {
            throw NotJson();
        }
        catch (BadHttpRequestException tooLarge)
        {
            throw new ApiException(tooLarge.StatusCode, $"the request exceeds {MaxBodyBytes} bytes");
        }
    }

    private ApiException NotAdmin() => new(
        StatusCodes.Status403Forbidden,
        access.CanAct
            ? "this action requires the admin token"
            : "this console is read-only; start the server with --console-admin-token-file to allow actions");

    private static ApiException NotJson() => new(StatusCodes.Status400BadRequest, "the request is not valid JSON for this action");

    private static ApiException NoItem() => new(StatusCodes.Status404NotFound, "the item does not exist: it was deleted, evicted or has expired");

    private static ApiException NotFound() => new(StatusCodes.Status404NotFound, "unknown path");

    private static Task WriteAsync<T>(HttpContext context, T answer, JsonTypeInfo<T> shape) =>
        context.Response.WriteAsJsonAsync(answer, shape, cancellationToken: context.RequestAborted);
}
