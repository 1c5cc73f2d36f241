using System.Runtime.InteropServices;

namespace Larder.Lab.Peers.Attacks;

/// <summary>
/// The functions of OpenSSL 3 that .NET's <c>SslStream</c> does not provide: key updates, and the use of client certificates that <c>SslStream</c> refuses to
/// send.
/// </summary>
internal static partial class OpenSsl
{
    /// <summary>The file name of the library.</summary>
    public const string Library = "libssl.so.3";

    private const string Crypto = "libcrypto.so.3";

    /// <summary>The error code with which OpenSSL requests more input.</summary>
    public const int WantRead = 2;

    /// <summary>The control command that returns the number of bytes in a memory buffer.</summary>
    public const int Pending = 10;

    /// <summary>The file type PEM.</summary>
    public const int Pem = 1;

    /// <summary>Gets the reason why attacks that need the library cannot run. Null if they can run.</summary>
    public static string? Obstacle { get; } =
        NativeLibrary.TryLoad(Library, typeof(OpenSsl).Assembly, null, out _) ? null : $"{Library} is missing; install OpenSSL 3";

    [LibraryImport(Library, EntryPoint = "TLS_client_method")]
    public static partial nint ClientMethod();

    [LibraryImport(Library, EntryPoint = "SSL_CTX_new")]
    public static partial nint NewContext(nint method);

    [LibraryImport(Library, EntryPoint = "SSL_CTX_free")]
    public static partial void FreeContext(nint context);

    [LibraryImport(Library, EntryPoint = "SSL_CTX_use_certificate_chain_file", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int UseChain(nint context, string file);

    [LibraryImport(Library, EntryPoint = "SSL_CTX_use_PrivateKey_file", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int UseKey(nint context, string file, int type);

    [LibraryImport(Library, EntryPoint = "SSL_new")]
    public static partial nint New(nint context);

    [LibraryImport(Library, EntryPoint = "SSL_free")]
    public static partial void Free(nint session);

    [LibraryImport(Library, EntryPoint = "SSL_set_bio")]
    public static partial void SetBuffers(nint session, nint input, nint output);

    [LibraryImport(Library, EntryPoint = "SSL_set_connect_state")]
    public static partial void SetConnecting(nint session);

    [LibraryImport(Library, EntryPoint = "SSL_set_alpn_protos")]
    public static partial int SetProtocols(nint session, ReadOnlySpan<byte> protocols, uint length);

    [LibraryImport(Library, EntryPoint = "SSL_do_handshake")]
    public static partial int Handshake(nint session);

    [LibraryImport(Library, EntryPoint = "SSL_get_error")]
    public static partial int ErrorOf(nint session, int result);

    [LibraryImport(Library, EntryPoint = "SSL_read")]
    public static partial int Read(nint session, Span<byte> into, int length);

    [LibraryImport(Library, EntryPoint = "SSL_write")]
    public static partial int Write(nint session, ReadOnlySpan<byte> bytes, int length);

    [LibraryImport(Library, EntryPoint = "SSL_key_update")]
    public static partial int UpdateKey(nint session, int isRequested);

    [LibraryImport(Crypto, EntryPoint = "BIO_s_mem")]
    public static partial nint MemoryMethod();

    [LibraryImport(Crypto, EntryPoint = "BIO_new")]
    public static partial nint NewBuffer(nint method);

    [LibraryImport(Crypto, EntryPoint = "BIO_ctrl")]
    public static partial nint Control(nint buffer, int command, nint number, nint pointer);

    [LibraryImport(Crypto, EntryPoint = "BIO_read")]
    public static partial int ReadBuffer(nint buffer, Span<byte> into, int length);

    [LibraryImport(Crypto, EntryPoint = "BIO_write")]
    public static partial int WriteBuffer(nint buffer, ReadOnlySpan<byte> bytes, int length);

    [LibraryImport(Crypto, EntryPoint = "ERR_clear_error")]
    public static partial void ClearErrors();
}
