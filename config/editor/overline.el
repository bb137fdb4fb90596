;;; overline.el --- The banner's words in the mode line  -*- lexical-binding: t -*-

;; In ~/.emacs.d/init.el:
;;
;;   (load "~/.local/share/overline/editor/overline.el")
;;   (overline-mode 1)
;;
;; The monitor sends each change over its socket; nothing is polled.  A monitor that comes later is found.

;;; Code:

(defgroup overline nil "The network in the mode line." :group 'mode-line)
(defcustom overline-program "overline" "The program overline." :type 'string)
(defface overline '((t :inherit error :inverse-video t)) "The words in the mode line.")

(defvar overline--text "")
;; Otherwise the mode line would not show the face.
(put 'overline--text 'risky-local-variable t)
(defvar overline--process nil)
(defvar overline--rest "")

(defun overline--receive (_process output)
  "Show the last whole line of OUTPUT."
  (let ((lines (split-string (concat overline--rest output) "\n")))
    (setq overline--rest (car (last lines)))
    (when (cdr lines)
      (let ((line (replace-regexp-in-string "%" "%%" (nth (- (length lines) 2) lines) t t)))
        (setq overline--text (if (string= line "") "" (propertize (concat " " line " ") 'face 'overline))))
      (force-mode-line-update t))))

;;;###autoload
(define-minor-mode overline-mode
  "Show in the mode line that the network is offline."
  :global t
  (when (process-live-p overline--process) (delete-process overline--process))
  (setq overline--text "" overline--rest "")
  (if (not overline-mode)
      (setq global-mode-string (delq 'overline--text global-mode-string))
    (unless global-mode-string (setq global-mode-string '("")))
    (add-to-list 'global-mode-string 'overline--text t)
    (setq overline--process
          (make-process :name "overline" :command (list "sh" "-c" "exec \"$0\" watch --format plain 2>/dev/null" overline-program)
                        :connection-type 'pipe :noquery t :filter #'overline--receive))))

(provide 'overline)
;;; overline.el ends here
