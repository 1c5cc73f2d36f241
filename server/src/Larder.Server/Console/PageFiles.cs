using System.Collections.Frozen;
using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console;

/// <summary>
/// The console's page, whole, from this assembly: <c>/</c> and what it consists of under <c>/page/</c>. The files hold nothing secret, so no token is asked for
/// them; what they show they ask <see cref="Api.ConsoleApi"/> for.
/// </summary>
internal static class PageFiles
{
    /// <summary>What the page may load and be loaded by: its own files, and nobody.</summary>
    public const string Policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private const string Folder = "/page/";

    // As the project file names its resources.
    private const string ResourcePrefix = "console-page/";

    private static readonly FrozenDictionary<string, (byte[] Bytes, string Type)> s_files = Load();

    /// <summary>Whether a path is the page's.</summary>
    public static bool Is(string path) => path == "/" || path.StartsWith(Folder, StringComparison.Ordinal);

    /// <summary>Answers a request for one of the files.</summary>
    public static Task AnswerAsync(HttpContext context, string path)
    {
        HttpResponse response = context.Response;
        if (!HttpMethods.IsGet(context.Request.Method) && !HttpMethods.IsHead(context.Request.Method))
        {
            return ConsoleHost.RefuseAsync(response, StatusCodes.Status405MethodNotAllowed, "the page is only read: use GET\n");
        }

        if (!s_files.TryGetValue(path == "/" ? "index.html" : path[Folder.Length..], out (byte[] Bytes, string Type) file))
        {
            return ConsoleHost.RefuseAsync(response, StatusCodes.Status404NotFound, "the page has no such file\n");
        }

        response.ContentType = file.Type;
        response.ContentLength = file.Bytes.Length;
        return HttpMethods.IsHead(context.Request.Method) ? Task.CompletedTask : response.Body.WriteAsync(file.Bytes, context.RequestAborted).AsTask();
    }

    /// <summary>What every answer that a browser may show or run says of itself.</summary>
    public static void Protect(HttpResponse response)
    {
        IHeaderDictionary headers = response.Headers;
        headers.ContentSecurityPolicy = Policy;
        headers.XFrameOptions = "DENY";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Opener-Policy"] = "same-origin";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()";
    }

    private static FrozenDictionary<string, (byte[] Bytes, string Type)> Load()
    {
        Assembly assembly = typeof(PageFiles).Assembly;
        Dictionary<string, (byte[], string)> files = [];
        foreach (string name in assembly.GetManifestResourceNames().Where(name => name.StartsWith(ResourcePrefix, StringComparison.Ordinal)))
        {
            using Stream stream = assembly.GetManifestResourceStream(name)!;
            byte[] bytes = new byte[stream.Length];
            stream.ReadExactly(bytes);
            files[name[ResourcePrefix.Length..]] = (bytes, TypeOf(name));
        }

        return files.ToFrozenDictionary();
    }

    private static string TypeOf(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
}
